"""A member of a consumer group that prints what it reads, one `topic partition offset value` a line, and commits it.

group_member.py confluent|kafka-python SERVERS GROUP TOPIC COUNT
Ends after COUNT records, or on SIGTERM, and leaves the group. An `assigned` line tells each assignment.
"""
import signal
import sys

client, servers, group, topic, count = sys.argv[1:]
count = int(count)
stopped = False


def stop(*_):
    global stopped
    stopped = True


signal.signal(signal.SIGTERM, stop)


def tell(*words):
    print(*words, flush=True)


def with_confluent():
    from confluent_kafka import Consumer

    consumer = Consumer({"bootstrap.servers": servers, "group.id": group, "auto.offset.reset": "earliest",
                         "enable.auto.commit": False, "session.timeout.ms": 6000})
    consumer.subscribe([topic], on_assign=lambda _, parts: tell("assigned", *sorted(p.partition for p in parts)))
    taken = 0
    while not stopped and taken < count:
        message = consumer.poll(0.2)
        if message is None:
            continue
        if message.error():
            print(message.error(), file=sys.stderr)
            continue
        tell(message.topic(), message.partition(), message.offset(), message.value().decode())
        consumer.commit(message, asynchronous=False)
        taken += 1
    consumer.close()


def with_kafka_python():
    from kafka import ConsumerRebalanceListener, KafkaConsumer

    class Listener(ConsumerRebalanceListener):
        def on_partitions_revoked(self, revoked):
            pass

        def on_partitions_assigned(self, assigned):
            tell("assigned", *sorted(p.partition for p in assigned))

    consumer = KafkaConsumer(bootstrap_servers=servers, group_id=group, auto_offset_reset="earliest",
                             enable_auto_commit=False, session_timeout_ms=6000, heartbeat_interval_ms=500)
    consumer.subscribe([topic], listener=Listener())
    taken = 0
    while not stopped and taken < count:
        for partition, messages in consumer.poll(timeout_ms=200).items():
            for message in messages:
                tell(partition.topic, partition.partition, message.offset, message.value.decode())
                taken += 1
            consumer.commit()
    consumer.close()


with_confluent() if client == "confluent" else with_kafka_python()
