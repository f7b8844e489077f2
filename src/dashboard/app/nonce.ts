/** The nonce for style elements in the response's policy; empty under Vite's server, which sends no policy. */
export const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
