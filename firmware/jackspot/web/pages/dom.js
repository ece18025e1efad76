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
  renewBy(parent, children, (before, child) => {
    if (before.outerHTML !== child.outerHTML) {
      before.replaceWith(child);
    }
  });
}

/**
 * Give an element these children as `renew` does, but change texts and classes in place: what is
 * pressed while its text changes stays. Not for children with listeners of their own.
 */
export function renewInPlace(parent, children) {
  renewBy(parent, children, (before, child) => {
    if (!isAlike(before, child)) {
      before.replaceWith(child);
      return;
    }
    before.className = child.className;
    if (child.childElementCount > 0) {
      renewInPlace(before, [...child.children]);
    } else {
      put(before, child.textContent);
    }
  });
}

/** Whether an element is of the same kind as another and leads to the same. */
function isAlike(one, other) {
  const said = ({ tagName, dataset, childElementCount: count }) => JSON.stringify([tagName, { ...dataset }, count > 0]);
  return said(one) === said(other);
}

function renewBy(parent, children, exchange) {
  children.forEach((child, index) => {
    const before = parent.children[index];
    if (before === undefined) {
      parent.append(child);
    } else {
      exchange(before, child);
    }
  });
  while (parent.children.length > children.length) {
    parent.lastElementChild.remove();
  }
}
