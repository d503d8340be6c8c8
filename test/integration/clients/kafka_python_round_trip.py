"""Produces the lines of a file with kafka-python, or consumes a partition into a file.

kafka_python_round_trip.py produce|consume SERVERS TOPIC CODEC FILE LINES
"""
import sys

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

verb, servers, topic, codec, path, lines = sys.argv[1:]
lines = int(lines)


def produce():
    failed = []
    producer = KafkaProducer(bootstrap_servers=servers, compression_type=None if codec == "none" else codec,
                             acks="all", linger_ms=5, batch_size=65536, retries=3)
    with open(path, "rb") as source:
        for line in source:
            producer.send(topic, line.rstrip(b"\n"), partition=0).add_errback(failed.append)
    producer.flush(120)
    producer.close()
    if failed:
        sys.exit(f"{len(failed)} failed: {failed[0]}")


def consume():
    consumer = KafkaConsumer(bootstrap_servers=servers, consumer_timeout_ms=30000, enable_auto_commit=False)
    partition = TopicPartition(topic, 0)
    consumer.assign([partition])
    consumer.seek_to_beginning(partition)
    taken = 0
    with open(path, "wb") as target:
        for message in consumer:
            target.write(message.value + b"\n")
            taken += 1
            if taken == lines:
                break
    if taken < lines:
        sys.exit(f"nothing came for 30 s after {taken} records")
    consumer.close()


produce() if verb == "produce" else consume()
