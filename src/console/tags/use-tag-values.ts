import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useAnswer } from '../api/use-answer.ts';
import { TagValueChoices } from '../inventory/queries.ts';

/** Values that charges of the last 30 days carry for a key, the dearest first; asked once the key is written. */
export function useTagValues(key: string): string[] {
  const [tagKey] = useDebouncedValue(key.trim(), 500);
  const { data } = useAnswer(TagValueChoices, { tagKey }, { pause: tagKey === '' });
  return useMemo(() => {
    const groups = tagKey === '' ? [] : (data?.costsByTag?.groups ?? []);
    return groups.flatMap(({ tagValue }) => (tagValue ? [tagValue] : []));
  }, [data, tagKey]);
}
