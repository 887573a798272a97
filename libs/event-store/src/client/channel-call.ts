import { type ClientDuplexStream, status } from '@grpc/grpc-js';
import type { TwoWayCall } from './incoming-answers.js';

/** A call that a channel makes, dialling first where it has no connection. */
export class ChannelCall<Answer> implements TwoWayCall<Answer> {
  hasEnded = false;
  error: Error | undefined;
  onChange: () => void = () => undefined;

  constructor(private readonly call: ClientDuplexStream<Buffer, Answer>) {
    call
      .on('readable', () => this.onChange())
      .on('end', () => {
        this.hasEnded = true;
        this.onChange();
      })
      .on('error', (error) => {
        this.error = error;
        this.onChange();
      });
  }

  take(): Answer[] {
    const answers: Answer[] = [];
    for (;;) {
      // A stream of objects, which are such answers.
      const answer = this.call.read() as Answer | null;
      if (answer === null) return answers;
      answers.push(answer);
    }
  }

  drop(): void {
    // Destroyed, it would leave unread what is under way, and the call would never end.
    this.call.removeAllListeners('readable').resume();
  }

  send(message: Buffer): void {
    this.call.write(message);
  }

  cancel(): void {
    this.call.cancel();
  }

  lose(why: string): void {
    this.call.call?.cancelWithStatus(status.UNAVAILABLE, why);
  }
}
