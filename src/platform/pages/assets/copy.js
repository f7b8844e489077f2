// Gives every command of the page a button that copies it. Without a script or a clipboard the text is still there.
if (navigator.clipboard) {
  for (const command of document.querySelectorAll('.command')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'tiny';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(command.querySelector('pre').textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    });
    command.append(button);
  }
}
