import { AppError } from '../../platform/errors.js';
import { type Route } from './routes.js';

/** The matching row of a request, and its decoded path parameters. */
export interface Matched<T> {
  value: T;
  path: Readonly<Record<string, string>>;
}

interface Pattern<T> {
  segments: readonly string[];
  methods: Map<string, T>;
}

/**
 * Finds the row of a method and path. Literal segments win over parameters; a linear search is enough for so few rows.
 */
export class RouteTable<T extends { route: Route }> {
  private readonly bySize = new Map<number, Pattern<T>[]>();

  constructor(rows: readonly T[]) {
    for (const row of rows) {
      const segments = row.route.path.slice(1).split('/');
      const patterns = this.bySize.get(segments.length) ?? [];
      this.bySize.set(segments.length, patterns);
      let pattern = patterns.find((other) => other.segments.join('/') === segments.join('/'));
      if (pattern === undefined) patterns.push((pattern = { segments, methods: new Map() }));
      pattern.methods.set(row.route.method, row);
    }
    for (const patterns of this.bySize.values()) patterns.sort((a, b) => rankOf(a).localeCompare(rankOf(b)));
  }

  /** `HEAD` counts as `GET`, a trailing slash is ignored. @throws AppError `not_found` or `method_not_allowed`. */
  match(method: string, pathname: string): Matched<T> {
    const segments = decodeSegments(pathname);
    const pattern = this.bySize.get(segments.length)?.find((candidate) => fits(candidate.segments, segments));
    if (pattern === undefined) throw new AppError('not_found', 'No such path under /v1.');
    const value = pattern.methods.get(method === 'HEAD' ? 'GET' : method);
    if (value === undefined) {
      const allow = [...pattern.methods.keys()]
        .flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
        .join(', ');
      throw new AppError('method_not_allowed', `This path supports ${allow}.`, { headers: { allow } });
    }
    const path: Record<string, string> = {};
    pattern.segments.forEach((segment, index) => {
      if (segment.startsWith('{')) path[segment.slice(1, -1)] = segments[index]!;
    });
    return { value, path };
  }
}

/** Sorts a literal segment before a parameter, e.g. `/runs/retry` before `/runs/{id}`. */
function rankOf({ segments }: Pattern<unknown>): string {
  return segments.map((segment) => (segment.startsWith('{') ? '1' : '0')).join('');
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every(
    (segment, index) => segment === segments[index] || (segment.startsWith('{') && segments[index] !== ''),
  );
}

function decodeSegments(pathname: string): string[] {
  try {
    return pathname.replace(/\/$/, '').slice(1).split('/').map(decodeURIComponent);
  } catch {
    throw new AppError('not_found', 'The path has an invalid percent-encoding.');
  }
}

/** The path of a request, without its query. */
export function pathOf({ url = '/' }: { url?: string | undefined }): string {
  return url.split('?', 1)[0]!;
}
