import { type ApolloServerPlugin } from '@apollo/server';
import { type FormattedExecutionResult, OperationTypeNode } from 'graphql';
import { type LongWork } from '../../platform/admission/long-work.js';
import { type Turn } from '../../platform/admission/responses/long-text.js';
import { currentWork } from '../../platform/admission/work.js';
import { AppError } from '../../platform/errors.js';
import { formatError, toGraphQLError } from './errors.js';
import { type OperationContext } from './documents/admitted-operations.js';

/**
 * Replaces a response that would be too large by one error, before its JSON is written. Writes a long one, in turns of its
 * account.
 */
export function ceiling(longWork: LongWork): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ errors = [], operation, contextValue, response: { body, http } }) => {
        if (body.kind !== 'single') return;
        const isMutation = operation?.operation === OperationTypeNode.MUTATION;
        try {
          const known = errors.map(({ originalError }) => originalError).find(isTooLarge);
          if (known !== undefined) throw known;
          const turn = () => longWork.pause(contextValue.accountId);
          if (await writeLong(body.singleResult, turn, !isMutation)) body.singleResult = {};
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          const fault = isMutation ? ofMutation(error) : error;
          body.singleResult = { errors: [formatError(toGraphQLError(fault), currentWork())] };
          http.status = fault.status;
        }
      },
    }),
  };
}

/**
 * Writes a long result, which Apollo Server would write in one piece. @returns false for a short one. @throws AppError
 * where it is too large, or can't be written in time.
 */
async function writeLong(
  { errors, data, extensions }: FormattedExecutionResult,
  turn: Turn,
  canFail: boolean,
): Promise<boolean> {
  const { answer } = currentWork();
  if (answer === undefined) return false;
  // Errors first, as Apollo Server writes them.
  const result = { errors, data, extensions };
  const pieces = await answer.writeLong(result, turn, canFail);
  if (pieces === undefined) answer.admit(result);
  else answer.text.keep(pieces);
  return pieces !== undefined;
}

function ofMutation({ code, message }: AppError): AppError {
  const effect = currentWork().answer?.isBounded
    ? 'Nothing has changed.'
    : 'The mutation may have been executed all the same.';
  return new AppError(code, `${message} ${effect}`);
}

function isTooLarge(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'answer_too_large';
}
