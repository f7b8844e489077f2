/** Thrown when a step's config can't be rendered. The message may name a path but contains no value. */
export class RenderError extends Error {
  override readonly name = 'RenderError';

  constructor(
    readonly code: 'missing_path' | 'too_large',
    message: string,
  ) {
    super(message);
  }
}
