import { type RequestFault } from '../../graphql/request-fault.js';

/** Assigns every fault of an API key to its field, whatever code the service uses; `app` is the application's name. */
export function faultAtKey(fault: RequestFault | undefined, app: string): RequestFault | undefined {
  if (fault === undefined) return undefined;
  const { code, fields, message } = fault;
  const sentence = sentenceFor(code, message, app);
  if (sentence !== undefined) return { ...fault, fields: { api_key: sentence } };
  const refused = fields['input.credentials.api_key'] ?? fields['credentials.api_key'];
  return refused === undefined ? fault : { ...fault, fields: { ...fields, api_key: refused } };
}

function sentenceFor(code: string, message: string, app: string): string | undefined {
  switch (code) {
    case 'INVALID_CREDENTIALS':
      return `${app} refused this key, so nothing was saved. Check that it is complete and still valid`;
    case 'PROVIDER_UNAVAILABLE':
      return `${app} did not answer, so the key could not be checked and nothing was saved. Try again in a moment`;
    case 'CONFLICT':
      return message;
    default:
      return undefined;
  }
}
