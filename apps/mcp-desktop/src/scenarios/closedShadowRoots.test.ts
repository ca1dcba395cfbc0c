import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const closed = `<script>
  window.hits = [];
  const make = (host, html) => {
    const root = host.attachShadow({ mode: "closed" });
    root.innerHTML = html;
    root.addEventListener("click", ({ target }) => hits.push(target.textContent));
    return root;
  };
</script>`;

it("shows, clicks and types in closed shadow roots", async () => {
  await app.show(`${closed}<div id=host></div><script>
    window.inner = make(host, "<button>Inside</button><label>Name <input></label><slot></slot><x-more></x-more>");
    make(inner.querySelector("x-more"), "<button>Deeper</button>");
  </script>`);
  const seen = await app.do("inspect_dom");
  expect(seen).toMatch(/button "Inside" \d+,\d+/);
  expect(seen).toMatch(/button "Deeper" \d+,\d+/);
  const [, ref] = /(e\d+) input:textbox "Name"/.exec(seen) ?? [];
  await app.do("type_text", { ref, text: "Ada" });
  await app.do("click", { text: "Deeper" });
  expect(await app.value("[inner.querySelector('input').value, hits[0]]")).toEqual(["Ada", "Deeper"]);
});

it("clicks by text what is in a closed root that appears later, also in frames", async () => {
  await app.show(`${closed}<iframe srcdoc="<p id=host></p>" onload="
    setTimeout(() => make(this.contentDocument.getElementById('host'), '<button>Framed</button>'), 300)"></iframe>`);
  await app.do("click", { text: "Framed" });
  expect(await app.value("hits")).toEqual(["Framed"]);
});

it("shows the contents of declarative closed roots", async () => {
  const url = app.page(`<div><template shadowrootmode=closed><button>Declared</button></template></div>`);
  await app.do("navigate", { url });
  expect(await app.do("inspect_dom")).toMatch(/button "Declared" \d+,\d+/);
});

it.each(["127.0.0.1", "localhost"] as const)("uses a frame of %s in a closed root", async (host) => {
  const inner = app.page(
    `<button onclick="top.postMessage('hit', '*')">Framed</button><input aria-label=Deep oninput="top.postMessage(value, '*')">`,
    host,
  );
  await app.show(`${closed}<p id=host></p><script>
    onmessage = ({ data }) => hits.push(data);
    make(document.getElementById("host"), '<iframe src="${inner}"></iframe>');
  </script>`);
  await app.do("click", { text: "Framed" });
  const [, ref] = /(\d*e\d+) input:textbox "Deep"/.exec(await app.do("inspect_dom")) ?? [];
  await app.do("type_text", { ref, text: "a" });
  await expect.poll(() => app.value("hits")).toEqual(["hit", "a"]);
});
