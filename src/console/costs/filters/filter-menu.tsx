import { ActionIcon, Combobox, Group, SegmentedControl, Text, useCombobox, Box } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowLeft, IconCheck, IconFilter } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Act } from '../../parts/form/menu.tsx';
import { useAnswer } from '../../api/use-api.ts';
import type { UrlState } from '../../parts/list/url-state.ts';
import { money } from '../../words/format.ts';
import classes from '../costs.module.css';
import {
  type Dimension,
  dimensionLabel,
  dimensionPlural,
  isDimension,
  valueLabel,
  noValue,
  escaped,
} from '../dimensions.ts';
import { useDimensionSections } from './group-by.tsx';
import { DimensionValues, valuesVariables } from '../queries.ts';
import { filterKey, type Question } from '../question.ts';

interface Props {
  readonly state: UrlState;
  readonly question: Question;
}

const none: readonly never[] = [];

/** Button with a list of dimensions, then the values of the chosen one. Choices apply immediately. */
export function FilterMenu({ state, question }: Props) {
  const { combobox, dimension, isExcluded, setExcluded, search, type, choose } = useMenu();
  const submit = (value: string) => {
    if (dimension === null) return isDimension(value) && choose(value);
    const key = filterKey({ dimension, isExcluded });
    state.set({ [key]: toggled(state.all(key), value), find: null });
  };
  const listId = useId();
  const searchLabel = dimension === null ? 'Search dimensions' : `Search ${dimensionPlural(dimension)}`;
  return (
    <Combobox
      store={combobox}
      width={340}
      position="bottom-start"
      // A new filter can move the button to the next line, where another side has room.
      preventPositionChangeWhenVisible={false}
      onOptionSubmit={submit}
      shadow="md"
    >
      <Combobox.Target withAriaAttributes={false}>
        <Act
          label="Filter"
          Icon={IconFilter}
          onClick={() => combobox.toggleDropdown()}
          aria-haspopup="dialog"
          aria-expanded={combobox.dropdownOpened}
        />
      </Combobox.Target>
      <Combobox.Dropdown className={classes.filterMenu}>
        <div role="dialog" aria-label="Filter">
          {dimension !== null && (
            <Head dimension={dimension} isExcluded={isExcluded} onExcluded={setExcluded} onBack={() => choose(null)} />
          )}
          <Combobox.Search
            // Remount for each list; otherwise the combobox would keep pointing to an option of the previous one.
            key={dimension}
            value={search}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Backspace' && search === '' && choose(null)}
            placeholder={searchLabel}
            role="combobox"
            aria-expanded={combobox.dropdownOpened}
            aria-controls={listId}
            aria-label={searchLabel}
            maxLength={200}
          />
          {combobox.dropdownOpened && dimension === null && (
            <Dimensions listId={listId} search={search} onFound={combobox.selectFirstOption} />
          )}
          {combobox.dropdownOpened && dimension !== null && (
            <Values
              {...{ state, question, listId, dimension, isExcluded, search }}
              onFound={combobox.selectFirstOption}
            />
          )}
        </div>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The values with one more, or without it. */
function toggled(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** State of the menu; it starts with the dimensions each time it opens. */
function useMenu() {
  const [dimension, setDimension] = useState<Dimension | null>(null);
  const [isExcluded, setExcluded] = useState(false);
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      setDimension(null);
      setExcluded(false);
      setSearch('');
      combobox.resetSelectedOption();
      combobox.focusTarget();
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const type = (text: string) => {
    setSearch(text);
    combobox.resetSelectedOption();
  };
  const choose = (next: Dimension | null) => {
    setDimension(next);
    type('');
    combobox.focusSearchInput();
  };
  return { combobox, dimension, isExcluded, setExcluded, search, type, choose };
}

interface HeadProps {
  readonly dimension: Dimension;
  readonly isExcluded: boolean;
  onExcluded(isExcluded: boolean): void;
  onBack(): void;
}

function Head({ dimension, isExcluded, onExcluded, onBack }: HeadProps) {
  return (
    <Group gap={6} p={6} wrap="nowrap">
      <ActionIcon variant="subtle" color="gray" onClick={onBack} aria-label="Back to dimensions">
        <IconArrowLeft size={16} aria-hidden />
      </ActionIcon>
      <Text size="sm" fw={600} truncate flex={1}>
        {dimensionLabel(dimension)}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label="Include or exclude"
        data={[
          { value: 'is', label: 'is' },
          { value: 'not', label: 'is not' },
        ]}
        value={isExcluded ? 'not' : 'is'}
        onChange={(next) => onExcluded(next === 'not')}
      />
    </Group>
  );
}

/** Selects the first option, for Enter, when the options of a search are shown.
 *  @param found the search; empty while its options are not shown */
function useFound(found: string, onFound: () => void): void {
  const latest = useRef(onFound);
  useEffect(() => {
    latest.current = onFound;
  });
  useEffect(() => {
    if (found !== '') latest.current();
  }, [found]);
}

/** Maximum number of dimensions shown of a section. */
const mostShown = 200;

type DimensionsProps = Pick<ValuesProps, 'listId' | 'search' | 'onFound'>;

function Dimensions({ listId, search, onFound }: DimensionsProps) {
  const sections = useDimensionSections(none);
  const text = search.trim().toLowerCase();
  const isIn = (name: string) => name.toLowerCase().includes(text);
  const found = sections
    .map(({ group, items }) => ({
      group,
      items: items.filter(({ label }) => isIn(group) || isIn(label)).slice(0, mostShown),
    }))
    .filter(({ items }) => items.length > 0);
  useFound(text, onFound);
  return (
    <Combobox.Options id={listId} className={classes.options} aria-label="Dimensions">
      {found.length === 0 && <Combobox.Empty>No dimension found</Combobox.Empty>}
      {found.map(({ group, items }) => (
        <Combobox.Group key={group} label={group}>
          {items.map(({ value, label }) => (
            <Combobox.Option key={value} value={value}>
              {label}
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  );
}

interface ValuesProps extends Props {
  readonly listId: string;
  readonly dimension: Dimension;
  readonly isExcluded: boolean;
  readonly search: string;
  /** Selects the first option. */
  onFound(): void;
}

/** Values with their cost in the range, highest first. */
function Values({ state, question, listId, dimension, isExcluded, search, onFound }: ValuesProps) {
  const [asked] = useDebouncedValue(search.trim(), 250);
  const answer = useAnswer(DimensionValues, valuesVariables(question, dimension, asked));
  const chosen = state.all(filterKey({ dimension, isExcluded }));
  const values = answer.data?.costDimensionValues?.values ?? none;
  const currency = answer.data?.costDimensionValues?.currency ?? 'USD';
  const isWaiting = answer.isLoading || answer.isStale || asked !== search.trim();
  useFound(isWaiting || values.length === 0 ? '' : asked, onFound);
  return (
    <Combobox.Options
      id={listId}
      className={classes.options}
      aria-label={`Values of ${dimensionLabel(dimension)}`}
      aria-busy={isWaiting}
    >
      {values.map(({ value, label, cost }) => {
        const taken = value === null ? noValue : escaped(value);
        return (
          taken !== '' && (
            <Value
              key={taken}
              value={taken}
              label={valueLabel(dimension, value, label)}
              cost={money(cost, currency)}
              isChosen={chosen.includes(taken)}
            />
          )
        );
      })}
      {asked !== '' && (
        <Value value={`${asked}*`} label={`Starts with “${asked}”`} cost="" isChosen={chosen.includes(`${asked}*`)} />
      )}
      {values.length === 0 && (
        <Combobox.Empty>
          {answer.refusal ? answer.refusal.message : isWaiting ? 'Loading…' : 'No values found'}
        </Combobox.Empty>
      )}
    </Combobox.Options>
  );
}

interface ValueProps {
  readonly value: string;
  readonly label: string;
  readonly cost: string;
  readonly isChosen: boolean;
}

function Value({ value, label, cost, isChosen }: ValueProps) {
  return (
    <Combobox.Option value={value} active={isChosen} aria-selected={isChosen}>
      <Group component="span" gap={8} wrap="nowrap" className={classes.option}>
        <Box component="span" w={14} lh={0} flex="none" c="var(--accent)">
          {isChosen && <IconCheck size={14} aria-hidden />}
        </Box>
        <Box component="span" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Box>
        <Text component="span" fz={12.5} c="dimmed" className="figures">
          {cost}
        </Text>
      </Group>
    </Combobox.Option>
  );
}
