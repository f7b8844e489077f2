// Fills the form in from the fragment of the URL, which no server receives, and removes it from the history.
const form = document.querySelector('form');
function fill() {
  if (location.hash === '') return;
  for (const [name, value] of new window.URLSearchParams(location.hash.slice(1))) {
    if (['url', 'secret', 'event'].includes(name)) form.elements[name].value = value;
  }
  window.history.replaceState(null, '', location.pathname);
}
// The secret may come after the page.
window.addEventListener('hashchange', fill);
fill();
