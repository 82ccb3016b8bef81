// Every page loads this; the body says which page it is, and that page's module does the rest.

const PAGES = {
  home: () => import("./home.js"),
  live: () => import("./live.js"),
  games: () => import("./games.js"),
  match: () => import("./match.js"),
  players: () => import("./players.js"),
  docs: () => import("./docs.js"),
  tools: () => import("./tools.js"),
};

/** Say in the navigation where we are. */
function markNavigation() {
  const here = location.pathname;
  for (const link of document.querySelectorAll("header nav a")) {
    const target = new URL(link.href).pathname;
    const section = target === "/" ? "/" : `/${target.split("/")[1]}`;
    const inside = section === "/" ? here === "/" : here === section || here.startsWith(`${section}/`);
    if (inside) link.setAttribute("aria-current", "page");
  }
}

markNavigation();
const page = PAGES[document.body.dataset.page];
if (page) {
  const { start } = await page();
  await start(document.getElementById("main"), document.body.dataset);
}
