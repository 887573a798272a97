/** A word or two beside their subject. */
export function Badge({ text, kind }: { text: string; kind?: 'good' | 'bad' }) {
  return <span className={kind === undefined ? 'badge' : `badge ${kind}`}>{text}</span>;
}
