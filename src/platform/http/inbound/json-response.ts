import { type ServerResponse } from 'node:http';
import { type Answer } from '../../admission/answers.js';
import { type AppError } from '../../errors.js';
import { type BodyText, sendText } from './send-text.js';

/** Sends a JSON body. @returns the status. */
export function sendJson(response: ServerResponse, status: number, body: unknown): number {
  return sendJsonText(response, status, JSON.stringify(body));
}

/** The same with the text of the body; with 204 no body is sent. `answer` counts the bytes of the body until they are sent. */
export function sendJsonText(response: ServerResponse, status: number, text: BodyText, answer?: Answer): number {
  response.statusCode = status;
  if (status === 204) {
    response.end();
    return status;
  }
  response.setHeader('content-type', 'application/json; charset=utf-8');
  sendText(response, text, answer);
  return status;
}

/** Tells a client that what it has is current (RFC 9110, 15.4.5). */
export function sendNotModified(response: ServerResponse): number {
  response.statusCode = 304;
  response.end();
  return 304;
}

/**
 * Sends `{ code, message, details? }` with the status and headers of the error; cuts a response that has begun.
 * @returns the status.
 */
export function sendError(response: ServerResponse, error: AppError): number {
  const { code, message, details, status } = error;
  if (!setErrorHeaders(response, error)) return status;
  return sendJson(response, status, { code, message, ...(details ? { details } : {}) });
}

/** Sets the headers of an error. False if the response has begun: it is cut then. */
export function setErrorHeaders(response: ServerResponse, { code, options }: AppError): boolean {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return false;
  }
  if (code === 'unauthorized') response.setHeader('www-authenticate', 'Bearer');
  if (options.retryAfter !== undefined) response.setHeader('retry-after', options.retryAfter);
  setHeaders(response, options.headers);
  return true;
}

/** Sets headers by name. */
export function setHeaders(response: ServerResponse, headers: object = {}): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value as string);
}
