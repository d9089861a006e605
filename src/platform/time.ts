import { Injectable } from '@nestjs/common';

/** The server's clock, in one place, so that tests can move it. */
@Injectable()
export class Time {
  now(): Date {
    return new Date();
  }
}
