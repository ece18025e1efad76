// Elements, made in one line.

export { make, makeButton } from "/make.js";
