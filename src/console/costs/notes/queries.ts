import { useMemo } from 'react';
import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';
import { useAnswer } from '../../api/use-api.ts';
import type { Note as PlacedNote } from '../../charts/stack-shapes.tsx';
import type { Filter, Question } from '../question.ts';
import type { Bar } from '../stacks.ts';
import { noValue, isPrefix } from '../dimensions.ts';

/** Notes that overlap a range of days. */
const NotesQuery = graphql(`
  query NotesOnDays($startDate: Date!, $endDate: Date!, $accountId: [ID!]) {
    annotations(startDate: $startDate, endDate: $endDate, accountId: $accountId, perPage: 100, sortBy: START_DATE_ASC) {
      data {
        id
        startDate
        endDate
        text
        updatedAt
        accountId
        account {
          id
          name
        }
        createdById
        createdBy {
          id
          name
        }
      }
    }
  }
`);

export const CreateNote = graphql(operations.createAnnotation);

export const UpdateNote = graphql(operations.updateAnnotation);

export const DeleteNote = graphql(operations.deleteAnnotation);

/** A note on days; an annotation in the API. */
export type Note = NonNullable<ResultOf<typeof NotesQuery>['annotations']>['data'][number];

/** The notes of a question's days about the organization and the accounts that it includes, earliest first. Other filters do not
 *  concern notes. */
export function useNotes({ range, filters }: Pick<Question, 'range' | 'filters'>): readonly Note[] {
  const { included, excluded } = useMemo(() => accountsOf(filters), [filters]);
  const { data } = useAnswer(NotesQuery, { startDate: range.from, endDate: range.to, accountId: included });
  const found = data?.annotations?.data;
  return useMemo(
    () => (found ?? []).filter(({ accountId }) => accountId === null || !excluded.includes(accountId)),
    [found, excluded],
  );
}

/** The accounts that filters include, undefined for all, and those that they exclude. */
function accountsOf(filters: readonly Filter[]) {
  const valuesOf = (excluded: boolean) =>
    filters
      .filter(({ dimension, isExcluded }) => dimension === 'account' && isExcluded === excluded)
      .flatMap(({ values }) => values);
  const included = valuesOf(false);
  const isExact = included.length > 0 && !included.some((value) => isPrefix(value) || value === noValue);
  return { included: isExact ? included : undefined, excluded: valuesOf(true) };
}

/** Returns the notes that overlap a range of days. */
export function notesIn(notes: readonly Note[], { from, to }: Question['range']): Note[] {
  return notes.filter(({ startDate, endDate }) => startDate <= to && from <= endDate);
}

/** Places notes on the bars of a chart. */
export function placed(notes: readonly Note[], bars: readonly Bar[]): PlacedNote[] {
  return notes.flatMap(({ startDate, endDate, text }) => {
    const isAt = ({ days }: Bar) => startDate <= days.to && days.from <= endDate;
    const [from, to] = [bars.findIndex(isAt), bars.findLastIndex(isAt)];
    return from === -1 ? [] : [{ from, to, text }];
  });
}
