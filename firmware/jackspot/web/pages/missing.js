// The page of an address that the board does not have.

import { fillWords, say } from "./words.js";

fillWords();
document.title = say("No such page");
document.body.dataset.ready = "yes";
