import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.apache.kafka.common.utils.internals.Exit;

/**
 * Runs many of Apache Kafka's tools within one JVM. Each line of standard input is a class and its arguments,
 * separated by U+0001; each line of standard output is the exit code and, in base64, what the tool printed on its two
 * outputs.
 */
public class KafkaTools {
    private static final class Ended extends Error {
        Ended() {
            super("exit", null, false, false);
        }
    }

    private static int code;

    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        Exit.setExitProcedure(KafkaTools::end);
        Exit.setHaltProcedure(KafkaTools::end);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\u0001", -1);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            System.setOut(new PrintStream(out, true, "UTF-8"));
            System.setErr(new PrintStream(err, true, "UTF-8"));
            run(words[0], Arrays.copyOfRange(words, 1, words.length));
            System.out.flush();
            System.err.flush();
            answers.println(code + "\t" + encoded(out) + "\t" + encoded(err));
            answers.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private static void end(int status, String message) {
        // The first exit counts: a tool may catch what stops it here and exit again.
        if (code < 0) code = status;
        throw new Ended();
    }

    private static void run(String name, String[] arguments) {
        code = -1;
        try {
            Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof Ended)) {
                e.getCause().printStackTrace(System.err);
                code = 1;
            }
        } catch (ReflectiveOperationException e) {
            e.printStackTrace(System.err);
            code = 1;
        }
        if (code < 0) code = 0;
    }

    private static String encoded(ByteArrayOutputStream bytes) {
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
