import { Radio, Text } from '@mantine/core';
import classes from './source.module.css';

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly text?: string;
}

interface Props {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  onChange(key: string): void;
}

/** One of a few ways, side by side; what each means stands with it. Nothing where there is no choice. */
export function WaysChoice({ label, choices, value, onChange }: Props) {
  if (choices.length < 2) return null;
  return (
    <Radio.Group value={value} onChange={onChange} aria-label={label}>
      <div className={classes.ways}>
        {choices.map(({ key, label: name, text }) => (
          <div key={key} className={classes.way} data-checked={key === value}>
            <Radio
              value={key}
              label={
                <Text component="span" size="sm" fw={600}>
                  {name}
                </Text>
              }
              {...(text && { description: text })}
            />
          </div>
        ))}
      </div>
    </Radio.Group>
  );
}
