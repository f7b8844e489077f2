import { json, type RequestHandler } from 'express';
import { UNKNOWN_BYTES } from '../../platform/admission/body-budget.js';
import { MAX_JSON_LEVELS } from '../../platform/graphql/scalars.js';
import { exceedsDepth } from '../../platform/json/json-depth.js';

/** Parses a JSON body. No key is verified before it, so its limits are those of any body of an unknown sender. */
export function jsonBody(): RequestHandler {
  return json({
    limit: UNKNOWN_BYTES,
    verify: (_request, _response, body) => {
      if (exceedsDepth(body.toString('latin1'), MAX_JSON_LEVELS)) throw new Error('The JSON is nested too deeply.');
    },
  });
}
