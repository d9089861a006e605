import { Module } from '@nestjs/common';
import { CalendarService } from './calendar.service.js';
import { CalendarStore } from './calendar.store.js';

@Module({ providers: [CalendarService, CalendarStore], exports: [CalendarService] })
export class CalendarModule {}
