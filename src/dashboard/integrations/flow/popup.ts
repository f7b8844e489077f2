const WIDTH = 560;
const HEIGHT = 760;

/**
 * An empty window for a flow; null if the browser blocks it. It must be called in the click handler: later every browser
 * would block it. The window keeps its opener, to which the callback page sends a message.
 */
export function openPopup(appName: string): Window | null {
  const left = Math.max(0, window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - HEIGHT) / 3);
  const opened = window.open('about:blank', '_blank', `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
  if (opened === null) return null;
  const { document: page } = opened;
  page.title = `Opening ${appName}`;
  page.body.textContent = `Opening ${appName} …`;
  page.documentElement.style.colorScheme = 'light dark';
  page.body.style.cssText = 'font: 15px system-ui, sans-serif; padding: 24px';
  return opened;
}

/**
 * Binds a flow to this browser, as the button of its start page does: from then on no other browser can finish it for
 * this user.
 * @returns false when it could not, and the start page itself must be shown.
 */
export async function tieToBrowser(connectUrl: string): Promise<boolean> {
  if (new URL(connectUrl).origin !== location.origin) return false;
  try {
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(connectUrl, { method: 'POST', redirect: 'manual', credentials: 'same-origin', signal });
    return answer.type === 'opaqueredirect';
  } catch {
    return false;
  }
}
