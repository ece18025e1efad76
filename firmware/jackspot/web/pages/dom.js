// Small help with the document: find, make, and change only what differs.

/** The element with this id. */
export function element(id) {
  return document.getElementById(id);
}

/** Make an element with a text and a class. */
export function make(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}

/** Set an element's text, unless it says that already. */
export function put(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** Show and fill an element, or hide it where there is nothing to say. */
export function putOrHide(node, text) {
  node.hidden = text === "";
  put(node, text);
}

/**
 * Give an element these children; those that are as they were stay, so that nothing flickers, and
 * with them what people have chosen and typed there: a form that begins anew replaces its children.
 */
export function renew(parent, children) {
  children.forEach((child, index) => {
    const before = parent.children[index];
    if (before === undefined) {
      parent.append(child);
    } else if (before.outerHTML !== child.outerHTML) {
      before.replaceWith(child);
    }
  });
  while (parent.children.length > children.length) {
    parent.lastElementChild.remove();
  }
}
