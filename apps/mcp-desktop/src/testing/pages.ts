/** The settings window of a typical app: forms, a list, a menu, tabs, a table, widgets of all kinds. */
export const appPage = `<title>Planner</title><style>
  body { font: 14px sans-serif; margin: 8px } [hidden] { display: none } .row, .chip { cursor: pointer }
</style>
<header><h1>Planner</h1><nav aria-label="Main"><a href="#/tasks">Tasks</a> <a href="#/team">Team</a> <a href="#/help">Help</a></nav>
  <button aria-label="Notifications" data-testid="bell"><svg width=16 height=16><rect width=16 height=16 /></svg></button></header>
<main>
  <div role=tablist><div role=tab tabindex=0 aria-selected=true>Profile</div><div role=tab tabindex=0>Billing</div></div>
  <form onsubmit="return false"><fieldset><legend>Account</legend>
    <label>Full name <input name=full></label><label for=mail>Email</label><input id=mail type=email>
    <input type=password aria-label="New password" name=pass><label>Language <select name=lang><option>English<option>Deutsch<option>日本語</select></label>
    <label>Born on <input type=date name=born></label><label>Volume <input type=range name=volume value=30></label>
    <label><input type=checkbox name=news> Send me news</label>
    <label><input type=radio name=plan value=free checked> Free plan</label><label><input type=radio name=plan value=pro> Pro plan</label>
    <textarea placeholder="About you" name=about></textarea>
    <button type=submit name=save>Save profile</button> <button type=reset name=reset>Reset</button> <button disabled>Delete account</button>
  </fieldset></form>
  <details><summary>Advanced options</summary><label>Proxy <input name=proxy></label></details>
  <div contenteditable aria-label="Notes" data-testid="notes" style="border:1px solid"></div>
  <div role=switch tabindex=0 aria-checked=false aria-label="Dark mode" onclick="this.setAttribute('aria-checked', 'true')" style="width:40px;height:20px;background:silver"></div>
  <div class=chip onclick="mark('chip')">Filter: open</div>
  <x-rating></x-rating>
  <table><tr><th>Name<th>Role<th></tr>
    <tr><td>Ada<td>Owner<td><button name=editAda>Edit</button></tr><tr><td>Grace<td>Member<td><button name=editGrace>Edit</button></tr></table>
  <ul><li class=row onclick="mark('row1')">Inbox <b>3</b></li><li class=row onclick="mark('row2')">Archive</li></ul>
  <iframe srcdoc="<label>Coupon <input oninput='parent.mark(&quot;coupon:&quot; + this.value)'></label><button onclick='parent.mark(&quot;apply&quot;)'>Apply</button>" style="width:400px;height:60px"></iframe>
  <p dir=rtl><button name=arabic>حفظ</button> <button name=hebrew>ביטול</button></p>
  <button name=japanese>保存する</button>
  <div role=slider tabindex=0 aria-label="Zoom" aria-valuenow=50 onkeydown="mark('zoom:' + event.key)" style="width:90px;height:12px;background:gray"></div>
  <input type=file aria-label="Photo" name=photo>
</main>
<script>
  window.marks = [];
  window.mark = (what) => marks.push(what);
  addEventListener("click", ({ target }) => { if (target.name) mark(target.name); if (target.hash) mark(target.hash); });
  addEventListener("click", (event) => { if (event.target.closest("[data-testid=bell]")) mark("bell"); });
  for (const tab of document.querySelectorAll("[role=tab]")) tab.onclick = () => mark(tab.textContent);
  document.querySelector("[role=switch]").addEventListener("click", () => mark("dark"));
  customElements.define("x-rating", class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: "open" });
      root.innerHTML = [1, 2, 3].map((n) => \`<button aria-label="\${n} stars">\${"★".repeat(n)}</button>\`).join("");
      root.addEventListener("click", (event) => mark(event.target.getAttribute("aria-label")));
    }
  });
</script>`;

/** A list with this many rows of three elements each. */
export const listPage = (rows: number) =>
  `<title>List</title><ul>${Array.from(
    { length: rows },
    (_, index) =>
      `<li><span>Item ${index + 1}</span> <button onclick="window.last = ${index + 1}">Open</button></li>`,
  ).join("")}</ul>`;

/** A list of 10 000 rows of which only those in view exist. */
export const virtualListPage = `<title>Virtual</title><div id=box style="height:300px;overflow:auto"><div id=all style="position:relative;height:200000px"></div></div>
<script>
  const draw = () => {
    const first = Math.floor(box.scrollTop / 20);
    all.innerHTML = Array.from({ length: 20 }, (_, index) => first + index + 1)
      .map((n) => \`<div style="position:absolute;top:\${(n - 1) * 20}px;height:20px"><button onclick="window.last = \${n}">Row \${n}</button></div>\`).join("");
  };
  box.onscroll = draw;
  draw();
</script>`;
