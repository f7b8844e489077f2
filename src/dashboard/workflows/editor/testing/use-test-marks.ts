import { useState } from 'react';
import { type RunInDetailFragment } from '../../../runs/run.generated.js';
import { statusOf } from '../../../runs/steps/timeline.js';
import { type Status } from '../../../ui/values/status-badge.js';
import { type DraftState } from '../use-draft.js';

/** The outcome of the last test run for each card. */
export interface TestMarks {
  /** Undefined without a test, and once the actions differ from the tested ones. */
  of: (name: string) => Status | undefined;
  /** `tested`: the saved actions when the test began. */
  end: (run: RunInDetailFragment, tested: string) => void;
}

/** Keeps the steps of the last test run that ended, with the actions that it tested. */
export function useTestMarks({ draft, dirty }: Pick<DraftState, 'draft' | 'dirty'>): TestMarks {
  const [last, setLast] = useState<{ run: RunInDetailFragment; tested: string }>();
  const isPresent = last !== undefined && !dirty && last.tested === draft.saved;
  return {
    of: (name) => {
      if (!isPresent) return undefined;
      const step = last.run.steps.find((candidate) => candidate.name === name);
      return step === undefined ? 'NOT_REACHED' : statusOf(step);
    },
    end: (run, tested) => setLast({ run, tested }),
  };
}
