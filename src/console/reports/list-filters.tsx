import { queryOf } from '../parts/csv-button.tsx';
import { ChoiceFilter } from '../parts/filters.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { allFormats, allTypes, formats, types } from './kinds.ts';

/** Filters that reports and schedules both have. */
export function ReportFilters({ state }: { readonly state: UrlState }) {
  return (
    <>
      <ChoiceFilter
        state={state}
        name="type"
        label="Type"
        choices={allTypes.map((value) => ({ value, label: types[value].label }))}
        isClosed
      />
      <ChoiceFilter
        state={state}
        name="format"
        label="Format"
        choices={allFormats.map((value) => ({ value, label: formats[value].label }))}
        isClosed
      />
    </>
  );
}

/** The list as REST asks for it. */
export function csvQuery(chosen: Readonly<Record<string, readonly string[]>>, sort: string | null): string {
  const lower = Object.entries(chosen).map(([key, values]) => [key, values.map((value) => value.toLowerCase())]);
  return queryOf({ ...Object.fromEntries(lower), sort_by: sort });
}
