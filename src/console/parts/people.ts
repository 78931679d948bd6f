import { useCallback } from 'react';
import { graphql } from '../api/graphql.ts';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-answer.ts';

const People = graphql(`
  query People {
    members(perPage: 100, sortBy: "name") {
      data {
        user {
          id
          name
        }
      }
    }
  }
`);

/** Names of users by their id: `You` for the caller, null for who is no member any more or not known yet. */
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
