import { Anchor, Breadcrumbs, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconArrowsExchange, IconChevronDown, IconX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Act } from '../../parts/form/menu.tsx';
import type { Changes, UrlState } from '../../parts/list/url-state.ts';
import classes from '../costs.module.css';
import { dimensionLabel, useValueLabel, isPrefix } from '../dimensions.ts';
import { type Crumb, crumbsOf } from '../drill.ts';
import { type Filter, filterKey, type Question, withoutFilters } from '../question.ts';
import { FilterMenu } from './filter-menu.tsx';

/** Active filters in the order they were added, and a menu to add one. Each filter's menu inverts or removes it. */
export function FilterBar({ state, question }: { readonly state: UrlState; readonly question: Question }) {
  const { filters } = question;
  return (
    <Group gap={6}>
      <FilterMenu state={state} question={question} />
      {filters.length > 0 && (
        <Group gap={6} component="ul" className={`plain ${classes.chips}`} aria-label="Filters">
          {filters.flatMap((filter) =>
            filter.values.map((value) => (
              <Chip key={`${filterKey(filter)}=${value}`} filter={filter} value={value} state={state} />
            )),
          )}
          <li>
            <Act
              label="Clear all"
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => change(state, withoutFilters(question))}
            />
          </li>
        </Group>
      )}
    </Group>
  );
}

/** The chip disappears with its filter, so focus moves to the heading, from which Tab continues. */
function change(state: UrlState, changes: Changes): void {
  state.set({ ...changes, find: null });
  document.getElementById('page-title')?.focus({ preventScroll: true });
}

interface ChipProps {
  readonly state: UrlState;
  readonly filter: Filter;
  readonly value: string;
}

function Chip({ state, filter, value }: ChipProps) {
  const { dimension, isExcluded } = filter;
  const labelOf = useValueLabel([dimension]);
  const { name, verb, shown } = filterWords(filter, value, labelOf);
  const key = filterKey(filter);
  const turnedKey = filterKey({ dimension, isExcluded: !isExcluded });
  const rest = filter.values.filter((one) => one !== value);
  const turned = { [key]: rest, [turnedKey]: [...new Set([...state.all(turnedKey), value])] };
  return (
    <li>
      <Menu position="bottom-start" shadow="md" returnFocus>
        <Menu.Target>
          <UnstyledButton className={classes.chip} title={`${name} ${verb} ${shown}`}>
            <span className={classes.chipText}>
              {name} {verb} <b>{shown}</b>
            </span>
            <IconChevronDown size={13} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconArrowsExchange size={15} aria-hidden />} onClick={() => change(state, turned)}>
            {isExcluded ? 'Include instead' : 'Exclude instead'}
          </Menu.Item>
          <Menu.Item leftSection={<IconX size={15} aria-hidden />} onClick={() => change(state, { [key]: rest })}>
            Remove filter
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

/** Returns the three parts of the text of a filter value, such as `Service`, `is not` and `Amazon S3`. */
export function filterWords(
  { dimension, isExcluded }: Filter,
  value: string,
  labelOf: ReturnType<typeof useValueLabel>,
): { readonly name: string; readonly verb: string; readonly shown: string } {
  const name = dimensionLabel(dimension);
  return isPrefix(value)
    ? { name, verb: isExcluded ? 'does not start with' : 'starts with', shown: value.slice(0, -1) }
    : { name, verb: isExcluded ? 'is not' : 'is', shown: labelOf(dimension, value) };
}

/** Breadcrumbs of the drill-down; all but the last are links. */
export function Crumbs({ state, question }: { readonly state: UrlState; readonly question: Question }) {
  const crumbs = crumbsOf(state, question);
  const labelOf = useValueLabel(crumbs.map(({ dimension }) => dimension));
  if (crumbs.length === 0) return null;
  const textOf = ({ dimension, value }: Crumb) =>
    dimension === null || value === null ? 'All costs' : labelOf(dimension, value);
  return (
    <Breadcrumbs
      component="nav"
      aria-label="Drill-down"
      separator="›"
      separatorMargin={6}
      style={{ flexWrap: 'wrap' }}
      // Truncation clips text to the line height, and Mantine's is too small for the descenders of g and y.
      styles={{ breadcrumb: { lineHeight: 1.45 } }}
    >
      {crumbs.map((crumb, index) =>
        index === crumbs.length - 1 ? (
          <Text key={crumb.search} size="sm" aria-current="true" truncate maw={420}>
            {textOf(crumb)}
          </Text>
        ) : (
          <Anchor key={crumb.search} component={Link} href={`/costs${crumb.search}`} size="sm" truncate maw={320}>
            {textOf(crumb)}
          </Anchor>
        ),
      )}
    </Breadcrumbs>
  );
}
