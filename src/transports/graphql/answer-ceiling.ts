import { type ApolloServerPlugin } from '@apollo/server';
import { OperationTypeNode } from 'graphql';
import { type LongWork } from '../../platform/admission/long-work.js';
import { currentWork } from '../../platform/admission/work.js';
import { AppError } from '../../platform/errors.js';
import { formatError, toGraphQLError } from './errors.js';
import { type OperationContext } from './documents/admitted-operations.js';

/** Replaces a response that would be too large by one error, before its JSON is written. A long one waits for its turn. */
export function ceiling(longWork: LongWork): ApolloServerPlugin<OperationContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ errors = [], operation, contextValue, response: { body, http } }) => {
        if (body.kind !== 'single') return;
        const isMutation = operation?.operation === OperationTypeNode.MUTATION;
        const turn = () => longWork.turn(contextValue.accountId);
        const busy = await busyFault(body.singleResult, turn, !isMutation);
        const known = errors.map(({ originalError }) => originalError).find(isTooLarge);
        const fault = busy ?? known ?? faultOf(body.singleResult);
        if (fault === undefined) return;
        const error = isMutation ? ofMutation(fault) : fault;
        body.singleResult = { errors: [formatError(toGraphQLError(error), currentWork())] };
        http.status = error.status;
      },
    }),
  };
}

/** Waits until a long result may be written. @returns the error for one that may not be in time. */
async function busyFault(result: object, turn: () => Promise<void>, canFail: boolean): Promise<AppError | undefined> {
  try {
    await currentWork().answer?.toWrite(result, turn, canFail);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function faultOf(result: object): AppError | undefined {
  try {
    currentWork().answer?.admit(result);
    return undefined;
  } catch (error) {
    if (isTooLarge(error)) return error;
    throw error;
  }
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
