import { Alert } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';

interface Props {
  /** Kind of record that is created, such as "budget". */
  readonly noun: string;
  /** Names of the filters that it cannot have. */
  readonly left: readonly string[];
}

/** Lists the filters of a cost view that a form does not support. */
export function LeftOut({ noun, left }: Props) {
  if (left.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconFilterOff size={18} aria-hidden />} title="Not all filters apply" role="status">
      A {noun} cannot use these filters of the view: {left.join(', ')}. Its cost will differ from the view.
    </Alert>
  );
}
