import { Select, TagsInput } from '@mantine/core';
import { useMemo } from 'react';
import { useAnswer } from '../api/use-answer.ts';
import { useTagKeyChoices } from '../parts/choices.ts';
import type { UrlState } from '../parts/url-state.ts';
import { TagValueChoices } from './queries.ts';

/** Resources that carry a tag; once its key is chosen, also those of some of its values. */
export function TagFilter({ state }: { readonly state: UrlState }) {
  const keys = useTagKeyChoices();
  const key = state.one('tagKey');
  const isStranger = key !== null && !keys.some(({ value }) => value === key);
  return (
    <>
      <Select
        aria-label="Tag key"
        placeholder="Tag key"
        data={isStranger ? [...keys, { value: key, label: key }] : keys}
        value={key}
        onChange={(next) => state.set({ tagKey: next, tagValue: null })}
        searchable
        clearable
        limit={200}
        nothingFoundMessage="Nothing found"
        w={150}
        clearButtonProps={{ 'aria-label': 'Clear tag key' }}
      />
      {key !== null && <TagValues state={state} tagKey={key} />}
    </>
  );
}

/** Any value can be written: those of resources that cost nothing are not among the proposed. */
function TagValues({ state, tagKey }: { readonly state: UrlState; readonly tagKey: string }) {
  const { data } = useAnswer(TagValueChoices, { tagKey });
  const values = state.all('tagValue');
  const proposed = useMemo(() => {
    const groups = data?.costsByTag?.groups ?? [];
    return groups.flatMap(({ tagValue }) => (tagValue ? [tagValue] : []));
  }, [data]);
  return (
    <TagsInput
      aria-label={`Values of ${tagKey}`}
      placeholder={values.length === 0 ? 'Any value' : ''}
      data={proposed}
      limit={200}
      value={values}
      splitChars={[]}
      onChange={(next) => state.set({ tagValue: next })}
      clearable
      miw={150}
      maw={340}
      clearButtonProps={{ 'aria-label': `Clear values of ${tagKey}` }}
    />
  );
}
