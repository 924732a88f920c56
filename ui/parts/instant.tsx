// An instant in the sandbox's time, abbreviated.

/** `09:00:01`, with the day if it matters. */
export function Instant({ at, withDay = false }: { readonly at: string; readonly withDay?: boolean }) {
  const [day = '', time = ''] = at.split('T');
  const short = time.replace(/(\.\d+)?Z$/, '');
  return (
    <time dateTime={at} title={`${at}, in the sandbox's time`}>
      {withDay ? `${day} ${short}` : short}
    </time>
  );
}
