// @ts-check
// Making elements, and changing those that are there into those that should be there.
// A view makes its tree anew with h() whenever its data changes, and morph() touches what differs:
// focus, scroll position, open details, selections and what somebody is typing stay.

/** @typedef {Node | string | number | null | undefined | false} Leaf */
/** @typedef {Leaf | Leaf[] | NestedList} Child */
/** @typedef {{[index: number]: Child, length: number, forEach: (each: (child: Child) => void) => void}} NestedList */
/** @typedef {{[name: string]: unknown}} Props */

/** What each element was made with. @type {WeakMap<Element, Props>} */
const given = new WeakMap();

/**
 * Where an element that is on the page already will stand: it is not taken out while a new tree is made.
 * @type {WeakMap<Node, Element>}
 */
const standIns = new WeakMap();

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "open", "disabled", "indeterminate", "selected"]);

/** Attributes that somebody reads or hears. */
const READ = new Set(["title", "aria-label"]);

/**
 * What is not seen itself and changes how the rest is seen: controls, and turns of the direction of writing. It names
 * all others: most texts have nothing else, and so are told in a third of the time.
 */
const UNSEEN =
    /[^\n\r\t -~\u00a0-\u061b\u061d-\u200a\u200c-\u200d\u2010-\u2029\u202f-\u205f\u206a-\ufefe\uff00-\uffff]/;
const EACH_UNSEEN = new RegExp(UNSEEN, "g");

/**
 * A text with a mark for each character that would hide itself, or turn what stands beside it.
 * @param {string} text
 * @returns {string}
 */
const marked = (text) => (UNSEEN.test(text) ? text.replace(EACH_UNSEEN, "\ufffd") : text);

/**
 * An address that may become a link: one of this page, or http and https.
 * @param {string} address
 * @returns {string | null}
 */
export function safeAddress(address) {
    if (address.startsWith("#") || address.startsWith("blob:")) {
        return address;
    }
    try {
        const url = new URL(address, document.baseURI);
        return url.protocol === "http:" || url.protocol === "https:" ? address : null;
    } catch {
        return null;
    }
}

/**
 * An element. Texts are text, never markup, and what hides in them is marked. Properties: attributes by their
 * names (null, undefined and false: none), `class`, `style` as an object, `onclick` and the like as functions,
 * `key` for morph(), and `preserve`: its children belong to somebody else (a chart), morph() leaves them alone.
 * Such an element may be made once and put into tree after tree.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
    const element = document.createElement(tag);
    fill(element, props ?? {}, children);
    return element;
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, props, ...children) {
    const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
    fill(element, props ?? {}, children);
    return element;
}

/**
 * @param {Element} element
 * @param {Props} props
 * @param {Child[]} children
 */
function fill(element, props, children) {
    given.set(element, props);
    children.forEach((child) => append(element, child));
    // After the children: a select has its options before it gets its value.
    for (const name of Object.keys(props)) {
        set(element, name, undefined, props[name]);
    }
}

/** @param {Node} parent @param {Child} child */
function append(parent, child) {
    if (Array.isArray(child)) {
        child.forEach((each) => append(parent, each));
    } else if (child instanceof Element && child.isConnected && given.get(child)?.preserve) {
        const standIn = parent.appendChild(document.createComment(""));
        standIns.set(standIn, child);
    } else if (child instanceof Node) {
        parent.appendChild(child);
    } else if (child !== null && child !== undefined && child !== false) {
        parent.appendChild(document.createTextNode(marked(String(child))));
    }
}

/**
 * One listener an event; it calls what the element was given last.
 * @param {Event} event
 * @returns {void}
 */
function dispatch(event) {
    const element = /** @type {Element} */ (event.currentTarget);
    const handler = given.get(element)?.[`on${event.type}`];
    if (typeof handler === "function") {
        handler.call(element, event);
    }
}

/** @param {Element} element @param {string} name @param {unknown} before @param {unknown} after */
function set(element, name, before, after) {
    if (before === after || name === "key" || name === "preserve") {
        return;
    }
    if (name.startsWith("on")) {
        // Adding the same listener again does nothing.
        element.addEventListener(name.slice(2), dispatch);
    } else if (name === "style") {
        const from = /** @type {Props} */ (before ?? {});
        restyle(/** @type {HTMLElement} */ (element), from, /** @type {Props} */ (after ?? {}));
    } else if (PROPERTIES.has(name) && name in element) {
        Reflect.set(element, name, after ?? (typeof before === "string" ? "" : false));
    } else {
        setAttribute(element, name, after);
    }
}

/** @param {Element} element @param {string} name @param {unknown} value */
function setAttribute(element, name, value) {
    const none = value === null || value === undefined || value === false;
    const text = value === true ? "" : READ.has(name) ? marked(String(value)) : String(value);
    const safe = name === "href" || name === "src" ? safeAddress(text) : text;
    if (none || safe === null) {
        element.removeAttribute(name);
    } else {
        element.setAttribute(name, safe);
    }
}

/**
 * Through the object model, which the Content-Security-Policy allows.
 * @param {HTMLElement} element
 * @param {Props} before
 * @param {Props} after
 */
function restyle(element, before, after) {
    for (const name of Object.keys(before)) {
        if (!(name in after)) {
            element.style.removeProperty(name);
        }
    }
    for (const name of Object.keys(after)) {
        if (before[name] !== after[name]) {
            element.style.setProperty(name, String(after[name]));
        }
    }
}

/**
 * Makes the children of `parent` what `children` are, touching only what differs.
 * @param {Element} parent
 * @param {...Child} children
 */
export function morph(parent, ...children) {
    const wanted = document.createDocumentFragment();
    children.forEach((child) => append(wanted, child));
    morphChildren(parent, wanted);
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? given.get(node)?.key : undefined);

/** @param {Node} node */
const keeps = (node) => node instanceof Element && Boolean(given.get(node)?.preserve);

/**
 * Whether the one can become the other. What keeps its children can so only by the same key: without one it is
 * itself, and nothing else.
 * @param {Node} a
 * @param {Node} b
 */
function alike(a, b) {
    const same = a.nodeName === b.nodeName && keyOf(a) === keyOf(b) && keeps(a) === keeps(b);
    return same && (!keeps(a) || keyOf(a) !== undefined);
}

/**
 * The children by their keys; those that share one in their order.
 * @param {Node} parent
 */
function keyedChildren(parent) {
    /** @type {Map<unknown, ChildNode[]>} */
    const keyed = new Map();
    parent.childNodes.forEach((node) => {
        const key = keyOf(node);
        const same = keyed.get(key);
        if (same) {
            same.push(node);
        } else if (key !== undefined) {
            keyed.set(key, [node]);
        }
    });
    return keyed;
}

/**
 * Puts the elements that were on the page already into a tree that is new.
 * @param {Node} tree
 */
function settle(tree) {
    const comments = document.createTreeWalker(tree, NodeFilter.SHOW_COMMENT);
    const found = [];
    while (comments.nextNode()) {
        found.push(comments.currentNode);
    }
    for (const comment of found) {
        const live = standIns.get(comment);
        if (live) {
            /** @type {Comment} */ (comment).replaceWith(live);
        }
    }
}

/** @param {Element} parent @param {Node} wanted */
function morphChildren(parent, wanted) {
    const keyed = keyedChildren(parent);
    const nodes = [...wanted.childNodes];
    const lives = new Set(nodes.map((node) => standIns.get(node)).filter(Boolean));
    /** @type {ChildNode | null} */
    let at = parent.firstChild;
    for (const next of nodes) {
        const live = standIns.get(next);
        const key = keyOf(next);
        // Each is taken once: of a key that several share, the next is for the next.
        const old = live ?? (key === undefined ? at : keyed.get(key)?.shift() ?? null);
        if (!old || (!live && (lives.has(/** @type {Element} */ (old)) || !alike(old, next)))) {
            parent.insertBefore(next, at);
            settle(next);
            continue;
        }
        if (old === at) {
            at = at.nextSibling;
        } else {
            move(parent, old, at);
        }
        if (!live) {
            become(old, next);
        }
    }
    while (at) {
        const gone = at;
        at = at.nextSibling;
        gone.remove();
    }
}

/**
 * Without losing focus, where the browser can.
 * @param {Element & {moveBefore?: (node: Node, at: Node | null) => void}} parent
 * @param {Node} node
 * @param {Node | null} at
 */
function move(parent, node, at) {
    if (parent.moveBefore && parent.isConnected) {
        parent.moveBefore(node, at);
    } else {
        parent.insertBefore(node, at);
    }
}

/** @param {Node} old @param {Node} next */
function become(old, next) {
    if (!(old instanceof Element) || !(next instanceof Element)) {
        if (old.nodeValue !== next.nodeValue) {
            Reflect.set(old, "nodeValue", next.nodeValue);
        }
        return;
    }
    if (old === next) {
        return;
    }
    const before = given.get(old) ?? {};
    const after = given.get(next) ?? {};
    given.set(old, after);
    if (!after.preserve) {
        morphChildren(old, next);
    }
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
        set(old, name, before[name], after[name]);
    }
}

/**
 * Disables a button for a while. The browser takes the focus away from it then; it gets it back, unless something
 * else has it by then.
 * @param {HTMLButtonElement} button
 * @returns {() => void} enables it again
 */
export function disableFor(button) {
    const focused = document.activeElement === button;
    button.disabled = true;
    return () => {
        button.disabled = false;
        const { activeElement: now } = document;
        if (focused && (now === null || now === document.body)) {
            button.focus({ preventScroll: true });
        }
    };
}

/**
 * Says something to a screen reader.
 * @param {string} text
 * @param {boolean} [urgent]
 */
export function announce(text, urgent = false) {
    const region = document.getElementById(urgent ? "alarm" : "live");
    if (region) {
        region.textContent = "";
        setTimeout(() => {
            region.textContent = text;
        }, 50);
    }
}

/**
 * A text for a screen reader alone.
 * @param {string} text
 * @returns {HTMLElement}
 */
export const hidden = (text) => h("span", { class: "visually-hidden" }, text);

let ids = 0;

/**
 * An id that is used nowhere else on the page.
 * @param {string} stem
 * @returns {string}
 */
export function uniqueId(stem) {
    ids += 1;
    return `${stem}-${ids}`;
}
