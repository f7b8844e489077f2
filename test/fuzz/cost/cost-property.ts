import fc from 'fast-check';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { isSelected } from '../../../src/platform/graphql/selected-fields.js';
import { measure } from '../../../src/transports/graphql/documents/document-facts.js';
import { mergeFault } from '../../../src/transports/graphql/documents/field-merging.js';
import { documents, SCHEMA } from '../documents.js';
import { settings } from '../runs.js';
import { Steps } from './steps.js';

const OTHER_RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
/** Reads of properties that a walk may need for each node of a document. */
const READS = 40;

/** What is worked on before it runs costs no more than its size. */
export function describeCostFuzz(isLong: boolean): void {
  const tokens = isLong ? 900 : 250;

  describe('random documents', () => {
    it('are measured in steps that grow like their nodes', () => {
      const holds = fc.property(documents(tokens), (text) => {
        const [document, nodes] = read(text);
        const steps = new Steps();
        measure(SCHEMA, steps.of(document));
        expect(steps.count).toBeLessThan(nodes * READS);
      });
      fc.assert(holds, settings(isLong));
    });

    it('are asked for fields in steps that grow like their nodes', () => {
      const holds = fc.property(documents(tokens), (text) => {
        const [document, nodes] = read(text);
        const steps = new Steps();
        const { fieldNodes, fragments } = askedIn(steps.of(document));
        steps.count = 0;
        for (let item = 0; item < 100; item += 1)
          isSelected({ fieldNodes, fragments, variableValues: {} }, 'inner', 'never');
        expect(steps.count).toBeLessThan(nodes * READS);
      });
      fc.assert(holds, settings(isLong));
    });

    it('have fields merged as GraphQL says, in steps that grow like their selections where fragments are spread', () => {
      const holds = fc.property(documents(tokens), (text) => {
        const [document, nodes] = read(text);
        fc.pre(validate(SCHEMA, document, OTHER_RULES).length === 0);
        const { selections } = measure(SCHEMA, document).operations[0]!;
        fc.pre(selections <= 10_000);
        const steps = new Steps();
        const fault = mergeFault(SCHEMA, steps.of(document));
        const known = validate(SCHEMA, document, [OverlappingFieldsCanBeMergedRule]);
        expect([fault === undefined, text]).toEqual([known.length === 0, text]);
        expect(steps.count).toBeLessThan((selections + nodes) * READS);
      });
      fc.assert(holds, settings(isLong));
    });
  });
}

function read(text: string): [document: DocumentNode, nodes: number] {
  const document = parse(text, { noLocation: true });
  let nodes = 0;
  visit(document, { enter: () => void (nodes += 1) });
  return [document, nodes];
}

function askedIn(document: DocumentNode) {
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node;
  const [operation] = document.definitions;
  const selectionSet = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet : undefined;
  const fieldNodes = [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: 'all' }, selectionSet } as const];
  return { fieldNodes: fieldNodes as unknown as Parameters<typeof isSelected>[0]['fieldNodes'], fragments };
}
