// Put into a copy of the page by the test: tells the page around it what a reader's browser makes of it.
(async () => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((e) => getComputedStyle(e).display !== "none").length;
  const set = (selector, value) => { document.querySelector(selector).checked = value; };
  const found = { width: innerWidth, overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth };
  found.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  found.background = getComputedStyle(document.body).backgroundColor;
  found.resources = performance.getEntriesByType("resource").map((entry) => entry.name);
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
  const results = await axe.run(document, { resultTypes: ["violations"] });
  found.violations = results.violations.map((v) => `${v.id}: ${v.nodes.length} x ${v.nodes[0].target.join(" ")}: ${v.nodes[0].failureSummary}`);
  found.checks = results.passes.length;
  found.files = shown(".file");
  found.medium = shown(".is-medium");
  set("#s-medium", false);
  found.mediumHidden = shown(".is-medium");
  set("#s-medium", true);
  set("#only-failed", true);
  found.failed = shown(".file");
  set("#only-failed", false);
  document.querySelector("#pick").value = "1";
  found.picked = [...document.querySelectorAll(".file")].filter((e) => getComputedStyle(e).display !== "none").map((e) => e.id);
  document.querySelector("button[type=reset]").click();
  found.reset = shown(".file");
  parent.postMessage({ audit: JSON.stringify(found) }, "*");
})();
