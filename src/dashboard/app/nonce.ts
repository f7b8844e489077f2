/** The nonce that this answer's policy takes style elements by; empty under Vite's own server, which sends no policy. */
export const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
