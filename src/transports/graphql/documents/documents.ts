import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type Variables } from './amount.js';
import { measure } from './document-facts.js';
import { tokensIn } from './document-tokens.js';
import { mergeFault } from './field-merging.js';
import { type KnownDocument, KnownDocuments } from './known-documents.js';
import { LIMITS, limitFault } from './limits.js';
import { TOKENS_PER_WEIGHT } from './weights.js';

/** GraphQL's rules, but for the one that compares each field with each other: see field-merging.ts. */
const RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/** Validation ends after so many faults: each looks for names that are alike, and costs 0.2 ms. */
const MAX_FAULTS = 10;

/** The documents that clients send, over any transport: each is parsed, measured and validated once, in this order. */
export class Documents {
  private readonly known = new KnownDocuments();

  constructor(private readonly schema: GraphQLSchema) {}

  /**
   * What it adds to the weight of a request that its document is not known: parsing and validation take time with its
   * tokens, also where they refuse it.
   */
  newnessOf(text: unknown): number {
    if (typeof text !== 'string' || this.known.has(text)) return 0;
    return Math.floor(tokensIn(text, LIMITS.tokens) / TOKENS_PER_WEIGHT);
  }

  /**
   * A document that may run with these variables, or why it may not. The limits come before validation, whose cost they
   * bound, and count the variables too, so that they are judged of a known document again.
   */
  read(text: string, variables: Variables): KnownDocument | readonly GraphQLError[] {
    const known = this.known.get(text);
    if (known === undefined) return this.readNew(text, variables);
    const fault = limitFault(known.facts, variables);
    return fault === undefined ? known : [fault];
  }

  private readNew(text: string, variables: Variables): KnownDocument | readonly GraphQLError[] {
    const document = parseBounded(text);
    if (document instanceof GraphQLError) return [document];
    const facts = measure(this.schema, document);
    const fault = limitFault(facts, variables);
    if (fault !== undefined) return [fault];
    const faults = validate(this.schema, document, RULES, { maxErrors: MAX_FAULTS });
    const conflict = faults.length === 0 ? mergeFault(this.schema, document) : undefined;
    if (conflict !== undefined) return [invalid(conflict)];
    if (faults.length > 0) return faults.map(invalid);
    const known = { document, facts };
    this.known.add(text, known);
    return known;
  }
}

/** Whether a document was read; otherwise there are the reasons. */
export function isKnown(read: KnownDocument | readonly GraphQLError[]): read is KnownDocument {
  return 'facts' in read;
}

function parseBounded(text: string): DocumentNode | GraphQLError {
  try {
    return parse(text, { maxTokens: LIMITS.tokens });
  } catch (error) {
    return coded(error as GraphQLError, 'GRAPHQL_PARSE_FAILED');
  }
}

function invalid(fault: GraphQLError): GraphQLError {
  return coded(fault, 'GRAPHQL_VALIDATION_FAILED');
}

function coded(error: GraphQLError, code: string): GraphQLError {
  const { message, nodes, source, positions, originalError, extensions } = error;
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    originalError,
    extensions: { code, http: { status: 400 }, ...extensions },
  });
}
