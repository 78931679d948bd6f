import { useCallback, useMemo } from 'react';
import { graphql } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAnswer } from '../../api/use-api.ts';
import { addMonths, monthStart, today } from '../../words/days.ts';
import { providerName, regionName } from '../../words/names.ts';
import type { Choice } from '../list/filters.tsx';

const AccountChoices = graphql(`
  query AccountChoices {
    accounts(perPage: 100, sortBy: NAME_ASC, status: [CONNECTED, DISCONNECTED]) {
      data {
        id
        name
        provider
        status
      }
    }
  }
`);

const CostChoices = graphql(`
  query CostChoices($startDate: Date!, $endDate: Date!) {
    services: costsByService(startDate: $startDate, endDate: $endDate) {
      groups {
        service
        provider
      }
    }
    regions: costsByRegion(startDate: $startDate, endDate: $endDate) {
      groups {
        region
        provider
      }
    }
  }
`);

const TagChoices = graphql(`
  query TagChoices {
    tags(perPage: 100, sortBy: COST_LAST_30_DAYS_DESC) {
      data {
        key
      }
    }
  }
`);

/** Connected accounts, and those that were, which the caller may see. */
export function useAccountChoices(): Choice[] {
  const { data } = useAnswer(AccountChoices, {});
  return useMemo(() => (data?.accounts?.data ?? []).map(({ id, name }) => ({ value: id, label: name })), [data]);
}

/** Services, regions and providers of the last 13 months' bills, the dearest first. */
export function useCostChoices(): Readonly<Record<'services' | 'regions' | 'providers', Choice[]>> {
  const { data } = useAnswer(CostChoices, { startDate: addMonths(monthStart(today()), -12), endDate: today() });
  return useMemo(() => {
    const services = data?.services?.groups ?? [];
    const regions = data?.regions?.groups ?? [];
    return {
      services: choicesOf(services.map(({ service }) => service)),
      regions: choicesOf(
        regions.map(({ region }) => region),
        regionName,
      ),
      providers: choicesOf(
        services.map(({ provider }) => provider),
        providerName,
      ),
    };
  }, [data]);
}

/** The hundred tag keys that cost most. */
export function useTagKeyChoices(): Choice[] {
  const { data } = useAnswer(TagChoices, {});
  return useMemo(() => choicesOf((data?.tags?.data ?? []).map(({ key }) => key)), [data]);
}

function choicesOf(values: readonly string[], labelOf: (value: string) => string = (value) => value): Choice[] {
  return [...new Set(values)].filter((value) => value !== '').map((value) => ({ value, label: labelOf(value) }));
}

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
