import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  ValuesOfCorrectTypeRule,
} from 'graphql';
import { type Variables } from './amount.js';
import { measure } from './document-facts.js';
import { tokensIn } from './document-tokens.js';
import { mergeFault } from './field-merging.js';
import { DOCUMENTS, FAULTS, type KnownDocument, KnownTexts } from './known-documents.js';
import { LIMITS, limitFault } from './limits.js';
import { keepPlaces } from './places.js';
import { faultsOfVariables, typedLiterals } from './type-faults.js';
import { TOKENS_PER_WEIGHT } from './weights.js';

/** GraphQL's rules, except the quadratic one for overlapping fields: field-merging.ts replaces it. */
const RULES = specifiedRules
  .filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)
  .map((rule) => (rule === ValuesOfCorrectTypeRule ? typedLiterals : rule));

/** Validation stops after this many errors: each one searches for similar names, which takes 0.2 ms. */
const MAX_FAULTS = 10;

/** Parses, measures and validates the documents of clients, over any transport; each text only once. */
export class Documents {
  private readonly known = new KnownTexts<KnownDocument>(DOCUMENTS);
  private readonly faulty = new KnownTexts<readonly GraphQLError[]>(FAULTS);

  constructor(private readonly schema: GraphQLSchema) {}

  /**
   * The extra weight of a request whose document is not cached: parsing and validation take time in proportion to its
   * tokens, even for a document that they refuse. 0 for a short one; undefined for one that is cached.
   */
  newnessOf(text: unknown): number | undefined {
    if (typeof text !== 'string' || this.known.has(text) || this.faulty.has(text)) return undefined;
    return Math.floor(tokensIn(text, LIMITS.tokens) / TOKENS_PER_WEIGHT);
  }

  /**
   * The document, or the reasons why it may not run with these variables. Limits come before validation because they
   * bound its cost. They depend on the variables, so they are checked again for a cached document.
   */
  read(accountId: string, text: string, variables: Variables, name: unknown): KnownDocument | readonly GraphQLError[] {
    const known = this.known.get(accountId, text);
    if (known === undefined) return this.faulty.get(accountId, text) ?? this.readNew(accountId, text, variables, name);
    const fault = limitFault(known.facts, variables, name);
    return fault === undefined ? known : [fault];
  }

  /** As `faultsOfVariables`, for the schema of these documents. */
  faultsOfVariables(operation: OperationDefinitionNode, variables: Variables): readonly GraphQLError[] {
    return faultsOfVariables(this.schema, operation, variables);
  }

  private readNew(
    accountId: string,
    text: string,
    variables: Variables,
    name: unknown,
  ): KnownDocument | readonly GraphQLError[] {
    const refused = (found: readonly GraphQLError[]) => this.refused(accountId, text, found);
    const document = parseBounded(text);
    if (document instanceof GraphQLError) return refused([document]);
    const facts = measure(this.schema, document);
    const fault = limitFault(facts, variables, name);
    if (fault !== undefined) return [fault];
    const faults = validate(this.schema, document, RULES, { maxErrors: MAX_FAULTS });
    const conflict = faults.length === 0 ? mergeFault(this.schema, document) : undefined;
    if (conflict !== undefined) return refused([invalid(conflict)]);
    if (faults.length > 0) return refused(faults.map(invalid));
    const known = { document, facts };
    this.known.add(accountId, text, known);
    return known;
  }

  /** Keeps faults that do not depend on variables: a client that repeats a document costs no more than another. */
  private refused(accountId: string, text: string, faults: readonly GraphQLError[]): readonly GraphQLError[] {
    const length = faults.reduce((sum, { message }) => sum + message.length, text.length);
    this.faulty.add(accountId, text, faults, length);
    return faults;
  }
}

/** Tells a document from a list of errors. */
export function isKnown(read: KnownDocument | readonly GraphQLError[]): read is KnownDocument {
  return 'facts' in read;
}

function parseBounded(text: string): DocumentNode | GraphQLError {
  try {
    return keepPlaces(parse(text, { maxTokens: LIMITS.tokens }));
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
