/** What compose.yaml says of its services, as far as it decides what starts together. */
export interface Compose {
  services: Record<string, Service>;
}

interface Service {
  profiles?: string[];
  /** Texts such as `4000:4000`, or objects of the long form. */
  ports?: (string | { published: number | string })[];
  depends_on?: string[] | Record<string, unknown>;
}

/** The profiles and the services of the product that each starts, beside PostgreSQL. */
const PROFILES: Readonly<Record<string, readonly string[]>> = {
  single: ['gateway'],
  several: ['api-1', 'api-2', 'haproxy', 'worker-1', 'worker-2'],
};

/** Why `docker compose --profile NAME up` does not start what a profile promises, one sentence each. */
export function profileFaults({ services }: Compose): string[] {
  return Object.entries(PROFILES).flatMap(([profile, wanted]) => {
    const started = Object.entries(services).filter(([, { profiles = [profile] }]) => profiles.includes(profile));
    const names = started.map(([name]) => name).sort();
    const ports = started.flatMap(([, service]) => (service.ports ?? []).map(publishedOf));
    const needed = started.flatMap(([, { depends_on: on = [] }]) => (Array.isArray(on) ? on : Object.keys(on)));
    const missing = needed.filter((name) => !names.includes(name));
    const expected = [...wanted, 'postgres'].sort();
    return [
      ...(names.join() === expected.join()
        ? []
        : [`${profile} starts ${names.join(', ')} instead of ${expected.join(', ')}.`]),
      ...(ports.join() === '4000' ? [] : [`${profile} publishes the ports ${ports.join(', ')} instead of 4000 once.`]),
      ...missing.map((name) => `${profile} does not start ${name}, which others need.`),
    ];
  });
}

function publishedOf(port: string | { published: number | string }): string {
  return typeof port === 'string' ? port.split(':').at(-2)! : String(port.published);
}
