import { type Comparison, type Contender, type Scenario } from './scenario.js';

/** The scenario with each contender of this build against that of another build; both must respond alike. */
export function withOtherBuild({ contenders, ...scenario }: Scenario): Scenario {
  const pairs: Record<string, Contender> = {};
  const comparisons: Comparison[] = [];
  for (const [name, contender] of Object.entries(contenders)) {
    if (contender.on !== 'service') continue;
    const other = `other ${name}`;
    pairs[name] = contender;
    pairs[other] = { ...contender, on: 'other' };
    comparisons.push({ title: `${scenario.name}, ${name}, against the other build`, of: name, to: other, target: 1 });
  }
  return { ...scenario, contenders: pairs, comparisons };
}
