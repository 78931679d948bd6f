import { useCallback } from 'react';
import { graphql } from '../api/graphql.ts';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-answer.ts';

const People = graphql(`
  query People {
    members(perPage: 100, sortBy: NAME_ASC) {
      data {
        user {
          id
          name
        }
      }
    }
  }
`);

/** Names of users by their id: `You` for the caller, null for a former member, and until names are loaded. */
export function usePeople(): (userId: string | null) => string | null {
  const { data } = useAnswer(People, {});
  const { user } = useMe();
  return useCallback(
    (userId) => {
      if (userId === user.id) return 'You';
      return data?.members?.data.find((member) => member.user.id === userId)?.user.name ?? null;
    },
    [data, user.id],
  );
}

/** A name within a sentence: `by you`, `by Kim Lee`, `by a former member`. */
export function byPerson(name: string | null): string {
  if (name === null) return 'by a former member';
  return name === 'You' ? 'by you' : `by ${name}`;
}
