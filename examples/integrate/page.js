const element = document.querySelector('halfmove-game');

/** Gives the element a fresh token of the user who is signed in to this site. */
async function giveToken() {
  const answer = await fetch('/token', { method: 'POST' });
  if (answer.ok) element.setToken((await answer.json()).token);
}

// Nobody is signed in on the page for watching.
if (element.dataset.user !== '') {
  element.addEventListener('halfmove-token', giveToken);
  customElements.whenDefined('halfmove-game').then(giveToken);
}
