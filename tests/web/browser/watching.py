"""Scripts that look at a page as someone with keyboard, or with weak eyes, would."""

FOCUSABLE = """
window.controls = [...document.querySelectorAll(
  'a[href], button:not([disabled]), input, select, textarea, [tabindex="0"]')]
  .filter(element => element.checkVisibility({ visibilityProperty: true }));
return window.controls.length;
"""

LISTEN_FOR_FOCUS = """
const met = new Set();
window.unseen = [];
const name = element => element.outerHTML.slice(0, 120);
document.addEventListener('focusin', ({ target }) => {
  met.add(target);
  const style = getComputedStyle(target);
  if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 1) {
    window.unseen.push(name(target));
  }
});
// What a page has replaced meanwhile, as live ones do, is no longer there to be reached.
window.missed = () => window.controls
  .filter(control => control.isConnected && !met.has(control)).map(name);
document.activeElement.blur();
"""

CONTRAST = """
const parse = text => {
  const all = text.match(/[\\d.]+/g).map(Number);
  return text.startsWith('color(srgb')
    ? [all[0] * 255, all[1] * 255, all[2] * 255, all[3] ?? 1]
    : [all[0], all[1], all[2], all[3] ?? 1];
};
const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3]));
const luminance = colour => {
  const [r, g, b] = colour.map(v => v / 255)
    .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};
const opacity = element => {
  let all = 1;
  for (let at = element; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
  return all;
};
// What an element paints: its colour, or each colour of its gradient.
const paints = element => {
  const style = getComputedStyle(element);
  const gradient = style.backgroundImage.match(/rgba?\\([^)]*\\)|color\\(srgb[^)]*\\)/g);
  const colours = gradient ? gradient.map(parse) : [parse(style.backgroundColor)];
  const seen = opacity(element);
  return colours.map(colour => [...colour.slice(0, 3), colour[3] * seen]);
};
// All colours that can be behind a point, from the page up to the text.
const behind = (stack) => {
  let grounds = [[255, 255, 255]];
  for (const element of [...stack].reverse()) {
    grounds = paints(element).flatMap(paint => grounds.map(ground => over(paint, ground)));
  }
  return grounds;
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  const element = node.parentElement;
  if (!node.textContent.trim() || element.closest('.vh, noscript, option, :disabled')) continue;
  if (!element.checkVisibility({ visibilityProperty: true })) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getClientRects()[0];
  if (!box || box.width < 2) continue;
  const stack = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const from = stack.indexOf(element);
  if (from < 0) continue; // scrolled out of its box, or below something else
  const style = getComputedStyle(element);
  const ink = parse(element instanceof SVGElement ? style.fill : style.color);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const needed = large ? 3 : 4.5;
  const worst = Math.min(...behind(stack.slice(from)).map(ground =>
    ratio(over([...ink.slice(0, 3), ink[3] * opacity(element)], ground), ground)));
  if (worst < needed) {
    found.push(`${node.textContent.trim().slice(0, 30)} <${element.className}>: `
      + `${worst.toFixed(2)} of ${needed}`);
  }
}
return found;
"""
