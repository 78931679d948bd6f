import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { useClient } from 'urql';
import { readOnly } from '../../api/client.ts';
import type { VariablesOf } from '../../api/graphql.ts';
import { refusalOf, type Refusal } from '../../api/refusal.ts';
import { PreviewVirtualTag, type VirtualTagPreview } from '../queries.ts';
import { ruleInputs, type Draft } from './draft.ts';
import { rulesFaults } from './faults.ts';

/** Pause after the last change before the rules are evaluated, in milliseconds. */
const pauseMs = 600;

/** Evaluation of the rules of a form. */
export interface Preview {
  /** Result for the last complete rules; null before the first. */
  readonly data: VirtualTagPreview | null;
  readonly refusal: Refusal | null;
  /** The rules have errors, so they are not evaluated. */
  readonly isIncomplete: boolean;
  /** The data belongs to earlier rules. */
  readonly isStale: boolean;
}

interface Answered extends Pick<Preview, 'data' | 'refusal'> {
  readonly asked: string | null;
}

/** Evaluates the rules of a form shortly after each change; a newer change cancels the request. */
export function usePreview({ rules, defaultValue }: Pick<Draft, 'rules' | 'defaultValue'>): Preview {
  const client = useClient();
  const now = useMemo(() => questionOf(rules, defaultValue), [rules, defaultValue]);
  const [asked] = useDebouncedValue(now, pauseMs);
  const [answered, setAnswered] = useState<Answered>({ asked: null, data: null, refusal: null });
  useEffect(() => {
    if (asked === null) return undefined;
    const variables = JSON.parse(asked) as VariablesOf<typeof PreviewVirtualTag>;
    const { unsubscribe } = client.mutation(PreviewVirtualTag, variables, readOnly).subscribe(({ data, error }) => {
      setAnswered((before) => ({
        asked,
        data: error ? before.data : (data?.previewVirtualTag ?? null),
        refusal: error ? refusalOf(error) : null,
      }));
    });
    return unsubscribe;
  }, [client, asked]);
  const { data, refusal } = answered;
  return { data, refusal, isIncomplete: now === null, isStale: now !== null && now !== answered.asked };
}

/** The variables as text, which stays the same while the rules do; null for incomplete rules. */
function questionOf(rules: Draft['rules'], defaultValue: string): string | null {
  if (rulesFaults(rules).length > 0 || defaultValue.trim() === '') return null;
  return JSON.stringify({ rules: ruleInputs(rules), defaultValue: defaultValue.trim() });
}
