// Sets the chosen theme before the first paint. It is a separate file, since the page allows no inline script.
const theme = localStorage.getItem("grove.theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
