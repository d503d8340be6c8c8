"""Produces the lines of a file with confluent-kafka (librdkafka), or consumes a partition into a file.

confluent_round_trip.py produce|consume SERVERS TOPIC CODEC FILE LINES
"""
import sys

from confluent_kafka import Consumer, Producer, TopicPartition, OFFSET_BEGINNING

verb, servers, topic, codec, path, lines = sys.argv[1:]
lines = int(lines)


def produce():
    failed = []
    producer = Producer({
        "bootstrap.servers": servers, "compression.codec": codec, "enable.idempotence": True,
        "linger.ms": 5, "queue.buffering.max.messages": 200000, "message.timeout.ms": 60000,
    })

    def delivered(error, _message):
        if error is not None:
            failed.append(str(error))
    with open(path, "rb") as source:
        for line in source:
            while True:
                try:
                    producer.produce(topic, line.rstrip(b"\n"), partition=0, on_delivery=delivered)
                    break
                except BufferError:
                    producer.poll(0.1)
            producer.poll(0)
    left = producer.flush(120)
    if failed or left:
        sys.exit(f"{len(failed)} failed ({failed[:3]}), {left} undelivered")


def consume():
    consumer = Consumer({"bootstrap.servers": servers, "group.id": "unused", "enable.auto.commit": False})
    consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
    taken = 0
    with open(path, "wb") as target:
        while taken < lines:
            messages = consumer.consume(min(10000, lines - taken), 30)
            if not messages:
                sys.exit(f"nothing came for 30 s after {taken} records")
            for message in messages:
                if message.error():
                    sys.exit(str(message.error()))
                target.write(message.value() + b"\n")
            taken += len(messages)
    consumer.close()


produce() if verb == "produce" else consume()
