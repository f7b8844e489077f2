// Posts the outcome of the connection to the opener, restricted to the origin that the server named, and offers a
// button that closes the window.
const { integrationId, status, targetOrigin } = document.getElementById('outcome').dataset;
if (window.opener && integrationId && targetOrigin && targetOrigin !== '*') {
  window.opener.postMessage({ integration_id: integrationId, status }, targetOrigin);
}

// A script may close only a window that a script opened.
const close = document.getElementById('close');
if (window.opener) {
  close.hidden = false;
  close.addEventListener('click', () => window.close());
}
