// The switches at the right of the bar: light or dark, and the language. Both are kept.

import { h } from "./dom.js";
import { inLanguage, published, root } from "./files.js";
import { language, t } from "./words.js";

const YEAR_S = 365 * 24 * 3600;
const LANGUAGES = { en: "English", zh: "中文" };

function keep(name, value) {
  document.cookie = `${name}=${value}; path=${root}; max-age=${YEAR_S}; samesite=lax`;
}

function themeNow() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
}

function themeSwitch() {
  const text = () => (themeNow() === "dark" ? t("Light") : t("Dark"));
  const button = h(
    "button",
    {
      type: "button",
      class: "theme",
      title: t("Change the colours"),
      onclick: () => {
        const other = themeNow() === "dark" ? "light" : "dark";
        document.documentElement.dataset.theme = other;
        keep("croupier_theme", other);
        button.textContent = text();
      },
    },
    text(),
  );
  return button;
}

function languageSwitch() {
  return Object.entries(LANGUAGES)
    .filter(([code]) => code !== language)
    .map(([code, name]) =>
      h(
        "button",
        {
          type: "button",
          class: "language",
          lang: code,
          onclick: () => {
            keep("croupier_language", code);
            if (published) location.assign(inLanguage(code));
            else location.reload();
          },
        },
        name,
      ),
    );
}

function kept(name) {
  return document.cookie
    .split("; ")
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/** Do on a published site what a running one does before it sends a page: what was chosen holds. */
export function applyChoices() {
  if (!published) return;
  const theme = kept("croupier_theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  const wanted =
    kept("croupier_language") ??
    navigator.languages.map((one) => one.split("-")[0]).find((one) => one in LANGUAGES);
  if (wanted in LANGUAGES && wanted !== language) location.replace(inLanguage(wanted));
}

/** Add the switches to the bar of the page. */
export function addSwitches(header) {
  header.append(h("div", { class: "switches" }, themeSwitch(), languageSwitch()));
}
