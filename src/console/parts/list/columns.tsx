import { ActionIcon, Checkbox, Popover, Stack, Tooltip } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Act } from '../form/menu.tsx';
import { useKept } from '../kept.ts';
import { widths, type Column } from './table.tsx';

/** Columns that the user shows or hides, by title. The width of the table determines the others. */
type Chosen = Readonly<Record<string, boolean>>;

interface Choice {
  readonly chosen: Chosen;
  set(chosen: Chosen): void;
}

/** The user's choice of columns of a table, kept in this browser. */
export function useColumnChoice(table: string): Choice {
  const [chosen, set] = useKept<Chosen>(`columns.${table}`, {});
  return { chosen, set };
}

/** Column of any table, as the user may show or hide it. */
export type Choosable = Pick<Column<never>, 'title' | 'hideOn'>;

/** Columns to show. Chosen ones are shown at every width; the first one, which names the row, always. */
export function shownColumns<Of extends Choosable>(columns: readonly Of[], chosen: Chosen): Of[] {
  return columns.flatMap((column, index) => {
    const isShown = index === 0 ? undefined : chosen[column.title];
    if (isShown === false) return [];
    return [isShown === true ? { ...column, hideOn: undefined } : column];
  });
}

interface Props {
  readonly columns: readonly Choosable[];
  readonly choice: Choice;
}

/** Button that opens a list of the columns, to show or hide each. */
export function ColumnChooser({ columns, choice: { chosen, set } }: Props) {
  const { ref, width } = useTableWidth();
  const named = columns.slice(1).filter(({ title }) => title !== '');
  const isShown = ({ title, hideOn }: Choosable) => chosen[title] ?? (hideOn === undefined || width > widths[hideOn]);
  if (named.length < 2) return null;
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label="Columns">
          <ActionIcon ref={ref} variant="subtle" color="gray" size={28} aria-label="Columns">
            <IconColumns3 size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {named.map((column) => (
            <Checkbox
              key={column.title}
              size="sm"
              label={column.title}
              checked={isShown(column)}
              onChange={(event) => set({ ...chosen, [column.title]: event.currentTarget.checked })}
            />
          ))}
          <Act label="Reset" size="compact-xs" variant="subtle" onClick={() => set({})} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Width of the table in the card of the button, which decides on the columns that the user has not chosen. */
function useTableWidth() {
  const ref = useRef<HTMLButtonElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const frame = ref.current?.closest('section')?.querySelector('table')?.parentElement;
    if (!frame) return;
    const observer = new ResizeObserver(() => setWidth(frame.clientWidth));
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
