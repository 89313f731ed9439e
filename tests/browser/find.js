// find(root, role, name, exact): the elements of a role that can be seen and whose accessible name contains
// `name` (case and runs of blanks do not matter), or is it. Run in the page by browser.py.
const [root, role, name, exact] = arguments;

const SELECTORS = {
    alert: "[role=alert]",
    button: "button, [role=button], summary, input[type=submit], input[type=button]",
    cell: "td, [role=cell], [role=gridcell]",
    checkbox: "input[type=checkbox], [role=checkbox], [role=switch]",
    columnheader: "th[scope=col], thead th, [role=columnheader]",
    combobox: "select, [role=combobox]",
    dialog: "dialog[open], [role=dialog], [role=alertdialog]",
    group: "fieldset, details, [role=group]",
    heading: "h1, h2, h3, h4, h5, h6, [role=heading]",
    img: "img, [role=img]",
    link: "a[href], [role=link]",
    listitem: "li, [role=listitem]",
    navigation: "nav, [role=navigation]",
    option: "option, [role=option]",
    radio: "input[type=radio], [role=radio]",
    region: "section, [role=region]",
    row: "tr, [role=row]",
    search: "search, [role=search]",
    tab: "[role=tab]",
    table: "table, [role=table]",
    textbox: "input:not([type]), input[type=text], input[type=email], input[type=password], input[type=search], " +
        "input[type=url], input[type=number], input[type=datetime-local], textarea, [role=textbox], [role=searchbox]",
};
const FROM_TEXT = new Set(["button", "cell", "columnheader", "heading", "link", "listitem", "option", "row", "tab", "alert"]);

const tidy = (text) => (text || "").replace(/\s+/g, " ").trim().toLowerCase();

// What a screen reader is told of a subtree: texts, names of what is in it, and nothing that is hidden from it.
function text(node) {
    if (node.nodeType === Node.TEXT_NODE) {
        return node.nodeValue;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true" || node.hidden) {
        return "";
    }
    if (node.hasAttribute("aria-label")) {
        return ` ${node.getAttribute("aria-label")} `;
    }
    const inner = [...node.childNodes].map(text).join("");
    return getComputedStyle(node).display.startsWith("inline") ? inner : ` ${inner} `;
}

function nameOf(element) {
    const ids = element.getAttribute("aria-labelledby");
    if (ids) {
        return ids.split(/\s+/).map((id) => document.getElementById(id)).map((node) => (node ? text(node) : "")).join(" ");
    }
    if (element.hasAttribute("aria-label")) {
        return element.getAttribute("aria-label");
    }
    if (element.labels && element.labels.length) {
        return [...element.labels].map(text).join(" ");
    }
    if (element.matches("fieldset, table, details")) {
        const title = element.querySelector(":scope > legend, :scope > caption, :scope > summary");
        return title ? text(title) : "";
    }
    const own = FROM_TEXT.has(role) ? text(element) : "";
    return own.trim() ? own : element.value && element.matches("[type=submit], [type=button]") ? element.value
        : element.getAttribute("title") || element.getAttribute("placeholder") || "";
}

// While a dialog is modal nothing else can be reached.
const modal = [...document.querySelectorAll("dialog:modal")].pop();
const wanted = tidy(name);
return [...(root || (role === "dialog" ? null : modal) || document).querySelectorAll(SELECTORS[role] || `[role=${role}]`)].filter((element) => {
    if (!element.checkVisibility({ checkVisibilityCSS: true }) || element.closest("[aria-hidden=true], [inert]")) {
        return false;
    }
    const have = tidy(nameOf(element));
    return exact ? have === wanted : have.includes(wanted);
});
