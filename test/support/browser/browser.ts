/** A browser without scripts: keeps cookies by host, and follows no redirect on its own. */
export class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();

  constructor(private readonly headers: Record<string, string> = {}) {}

  /** Sends one request like a navigation; `form` makes it a POST, `json` a request of a page's script. */
  async visit(url: string, { form, json, headers }: Visit = {}): Promise<Response> {
    const { host, origin } = new URL(url);
    const jar = this.cookies.get(host) ?? new Map<string, string>();
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
      headers: {
        ...this.headers,
        ...((form ?? json) && { origin }),
        ...(json && { 'content-type': 'application/json' }),
        ...(cookie && { cookie }),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    this.cookies.set(host, jar);
    return response;
  }

  /** Visits a URL and follows redirects within the host. @returns the target of the last one. */
  async leave(url: string): Promise<string> {
    const { host } = new URL(url);
    for (let next = url, hops = 0; hops < 20; hops += 1) {
      const response = await this.visit(next);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${next} answered ${response.status}: ${await response.text()}`);
      next = new URL(location, next).href;
      if (new URL(next).host !== host) return next;
    }
    throw new Error('Too many redirects.');
  }
}

interface Visit {
  form?: Record<string, string>;
  json?: object;
  headers?: Record<string, string>;
}
