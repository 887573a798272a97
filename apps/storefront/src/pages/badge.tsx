/** A word or two beside what they are about. */
export function Badge({ text, kind }: { text: string; kind?: 'good' | 'bad' }) {
  return <span className={kind === undefined ? 'badge' : `badge ${kind}`}>{text}</span>;
}
