import { type ConsoleMessage, type Page } from 'playwright-core';

/** Collects what a page complains of from now on: errors in its console, failed scripts, violations of its policy. */
export async function watch(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfAnAnswer(message)) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  await page.exposeFunction('noteViolation', (text: string) => void complaints.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        const note = (globalThis as unknown as { noteViolation: (text: string) => void }).noteViolation;
        note(`${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`);
      },
    );
  });
  return complaints;
}

/** Browsers write a line for each 4xx and 5xx: what the page makes of it is for tests to look at. */
function isOfAnAnswer(message: ConsoleMessage): boolean {
  return /^Failed to load resource: the server responded with a status of/.test(message.text());
}
